// Sends mail by the operator's SMTP server, soon and without anybody waiting for it. What cannot be sent is told to the
// log: each mail is a link that can be asked for again.
import { toError } from '../database/error-code.js'
import { MAIL_DUE, type Mail, type SendMail } from '../resources/sign-in/mail.js'
import type { Announcement } from '../store/change.js'

export interface Mailer {
  readonly send: SendMail
  /** Sends what commits on this node have asked for. */
  onAnnouncements(announcements: readonly Announcement[]): void
  /** Waits for what is on its way. */
  stop(): Promise<void>
}

const TIMEOUT_MS = 10_000
/** Mail beyond this waits for nothing: whoever asks for so much is no person. */
const UNDER_WAY_MAX = 100

export function createMailer({ url, from }: { url: string; from: string }, onTrouble: (error: Error) => void): Mailer {
  const underWay = new Set<Promise<void>>()
  const post = async (mail: Mail) => {
    // Loaded at the first mail: most servers send none.
    const { createTransport } = await import('nodemailer')
    const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
    await createTransport({ url, ...timeouts }).sendMail({
      from,
      ...mail,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  const send = (mail: Mail) => {
    if (underWay.size >= UNDER_WAY_MAX) return onTrouble(new Error('Too much mail at once; one was not sent'))
    const sending = post(mail)
      .catch((error: unknown) => onTrouble(new Error('A mail could not be sent', { cause: toError(error) })))
      .finally(() => underWay.delete(sending))
    underWay.add(sending)
  }
  return {
    send,
    onAnnouncements(announcements) {
      for (const { topic, detail } of announcements) if (topic === MAIL_DUE) send(detail as Mail)
    },
    async stop() {
      await Promise.all(underWay)
    },
  }
}
