// Who is signed in, and the ways in: for pages of the service, by its cookie.
import { type ApiPromise, dataOf } from '../api-promise.js'
import type {
  ExchangedLink,
  InvitationAcceptance,
  OpenIdRequest,
  OpenIdStart,
  PasswordChange,
  PasswordReset,
  Session,
  SignIn,
  UserSession,
  UserUpdate,
} from '../generated/shapes.js'
import { type Ask, ask, path, type RequestOptions, type Send } from '../transport.js'

export interface SessionOfPage {
  /** Who is signed in; `user` is null when nobody is. */
  get(options?: RequestOptions): ApiPromise<Session>
  /** With e-mail address and password. UnauthorizedError when either is wrong. */
  signIn(body: SignIn, options?: RequestOptions): ApiPromise<Session>
  /** Takes what stands after the `#` of a one-time link. A sign-in link signs in; other links are only described. */
  exchange(token: string, options?: RequestOptions): ApiPromise<ExchangedLink>
  /** Joins an organization, as the signed-in user or as a new one. */
  acceptInvitation(body: InvitationAcceptance, options?: RequestOptions): ApiPromise<Session>
  /** Sets a new password by a reset link, and signs in. */
  reset(body: PasswordReset, options?: RequestOptions): ApiPromise<Session>
  /** Asks for a reset link by mail. The answer is the same whether or not the address is known. */
  forgot(email: string, options?: RequestOptions): Promise<void>
  /** Where to send the browser to sign in at the OpenID Connect provider. */
  openId(body?: OpenIdRequest, options?: RequestOptions): ApiPromise<OpenIdStart>
  /** Changes the name, or sets the e-mail address of a user who has none. */
  updateUser(body: UserUpdate, options?: RequestOptions): ApiPromise<Session>
  /** Ends all other sessions of the user. */
  changePassword(body: PasswordChange, options?: RequestOptions): ApiPromise<Session>
  /** Ends the session, and removes its cookie. */
  signOut(options?: RequestOptions): ApiPromise<void>
}

export function session(send: Send): SessionOfPage {
  const to = <T>(method: Ask['method'], rest: string, body: unknown, options?: RequestOptions): ApiPromise<T> =>
    ask(send, { method, path: `/session${rest}`, body, options })
  return {
    get: (options) => to('GET', '', undefined, options),
    signIn: (body, options) => to('POST', '', body, options),
    exchange: (token, options) => to('POST', '/exchange', { token }, options),
    acceptInvitation: (body, options) => to('POST', '/invitation', body, options),
    reset: (body, options) => to('POST', '/reset', body, options),
    forgot: (email, options) => to<unknown>('POST', '/forgot', { email }, options).then(() => undefined),
    openId: (body = {}, options) => to('POST', '/open-id', body, options),
    updateUser: (body, options) => to('PATCH', '/user', body, options),
    changePassword: (body, options) => to('PUT', '/password', body, options),
    signOut: (options) => to('DELETE', '', undefined, options),
  }
}

export interface Sessions {
  /** Newest use first. */
  list(options?: RequestOptions): ApiPromise<UserSession[]>
  /** Ends one session of the user, as on a device that was lost. */
  end(id: string, options?: RequestOptions): ApiPromise<void>
  /** All but this one. */
  endOthers(options?: RequestOptions): ApiPromise<void>
}

export const sessions = (send: Send): Sessions => ({
  list: (options) => dataOf(ask<{ data: UserSession[] }>(send, { method: 'GET', path: '/sessions', options })),
  end: (id, options) => ask(send, { method: 'DELETE', path: path`/sessions/${id}`, options }),
  endOthers: (options) => ask(send, { method: 'DELETE', path: '/sessions', options }),
})
