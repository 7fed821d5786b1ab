// `parley-server sign-in-link`: a way in for whoever runs the server, and for users who have lost theirs.
import type { Command } from 'commander'
import type { Config } from '../config/config.js'
import type { Database } from '../database/pool.js'
import { sql } from '../database/sql.js'
import { StartupError } from '../database/startup-error.js'
import { toEmail } from '../http/wire-formats.js'
import { linkLifetimesMs, makeLink } from '../resources/sign-in/one-time-links.js'
import { newId } from '../store/id.js'
import { ownerParts } from './create-organization.js'
import { readBaseUrl } from './first-run.js'
import { jsonOption, type Printing, print, requireUuid, withDatabase } from './operator-database.js'

interface Wanted {
  readonly email?: string
  readonly org?: string
}

export function addSignInCommands(program: Command): void {
  program
    .command('sign-in-link')
    .description('make a link that signs in once, within 15 minutes; earlier links of the same user are void')
    .option('--email <address>', 'the user with this e-mail address; else the first owner')
    .option('--org <id>', 'the first owner of this organization, made where it has none')
    .addOption(jsonOption())
    .action((options: Printing & Wanted) =>
      withDatabase(async (database, config) => {
        const { url, expiresAt } = await makeSignInLink(database, await baseUrlOf(config), options, new Date())
        print(options, { signInUrl: url, expiresAt }, url)
      }),
    )
}

const baseUrlOf = async ({ publicUrl, dataDir, host, port }: Config): Promise<string> =>
  publicUrl ?? (await readBaseUrl(dataDir)) ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`

export async function makeSignInLink(
  database: Database,
  baseUrl: string,
  wanted: Wanted,
  now: Date,
): Promise<{ url: string; expiresAt: string }> {
  const known =
    wanted.email === undefined ? await firstOwner(database, wanted.org) : await userOf(database, wanted.email)
  const userId = known ?? newId(now)
  const link = makeLink(baseUrl, { purpose: 'sign_in', lifetimeMs: linkLifetimesMs.signIn, userId }, now)
  if (known !== undefined)
    await database.query(sql`with earlier as (
      delete from one_time_links where user_id = ${userId} and purpose = 'sign_in' and used_at is null
    ) ${link.insert()}`)
  else {
    const organizationId = await organizationToOwn(database, wanted.org)
    await database.query(sql`with ${ownerParts(organizationId, { userId, link }, now)} select 1`)
  }
  return { url: link.url, expiresAt: link.expiresAt.toISOString() }
}

async function userOf(database: Database, email: string): Promise<string> {
  const [user] = await database.query<{ id: string }>(sql`select id from users where email = ${toEmail(email)}`)
  if (user === undefined)
    throw new StartupError(`No user has the address ${email}. Invite them, or leave out --email for the first owner.`)
  return user.id
}

async function firstOwner(database: Database, org: string | undefined): Promise<string | undefined> {
  const [owner] = await database.query<{ user_id: string }>(
    sql`select user_id from memberships where role = 'owner'
      and (${org ?? null}::text is null or organization_id::text = ${org === undefined ? null : requireUuid(org)}::text)
      order by organization_id, joined_at, user_id limit 1`,
  )
  return owner?.user_id
}

/** Databases from before people signed in have organizations without owners. */
async function organizationToOwn(database: Database, org: string | undefined): Promise<string> {
  const [found] = await database.query<{ id: string }>(
    sql`select id from organizations
      where ${org ?? null}::text is null or id::text = ${org?.toLowerCase() ?? null}::text
      order by id limit 1`,
  )
  if (found === undefined)
    throw new StartupError('There is no such organization. List them with: parley-server org list')
  return found.id
}
