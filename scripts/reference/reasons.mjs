// The reasons that refusals give: found in the server's code, each with a sentence. A reason without one is an error.
import { readdirSync, readFileSync } from 'node:fs'

const server = new URL('../../packages/server/dist/', import.meta.url)

/** `{reason, of, meaning}` for each, `of` being the code of the error. */
export function reasons() {
  const found = new Set(
    sources().flatMap((text) =>
      [...text.matchAll(/\b(conflict|forbidden|unprocessable)\('([a-z_]+)'/g)].map(
        ([, of, reason]) => `${of} ${reason}`,
      ),
    ),
  )
  const unsaid = [...found].filter((name) => !(name in meanings))
  if (unsaid.length > 0)
    throw new Error(`scripts/reference/reasons.mjs does not say what this means: ${unsaid.join(', ')}`)
  return Object.entries(meanings).map(([name, meaning]) => ({
    of: name.split(' ')[0],
    reason: name.split(' ')[1],
    meaning,
  }))
}

const sources = () =>
  readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(new URL(name, server), 'utf8'))

const meanings = {
  'forbidden scope': 'The key needs `details.requiredScope`.',
  'forbidden organization_disabled': 'The organization is not enabled for the API.',
  'forbidden cross_origin': 'A write by session cookie came from another origin.',
  'forbidden session': 'The path is about a signed-in user; a key has nothing to do there.',
  'forbidden live_key': 'This belongs to the whole organization: use a key that begins with `ak_live_`, or sign in.',
  'forbidden sandbox_only': 'Only keys that begin with `ak_test_` may do this.',
  'forbidden expired': 'The signed address is no longer good; read the record again for a fresh one.',
  'forbidden signature':
    'The signed address was not made by Parley, or the request was not signed by the provider of the connection.',
  'conflict too_many_imports': 'Too many imports of this environment have not ended.',
  'conflict import_room': 'The files that wait to be imported take all the room that there is.',
  'conflict import_offset': 'The part does not begin where the file ends so far; `details.receivedBytes` says where.',
  'conflict state':
    'The move is not allowed from where the record is; `details` has `from`, `to` and `allowed`. See [states](states.md).',
  'conflict version': '`If-Match` names another version than the record has; `details.version` is the current one.',
  'conflict unique': 'Another record has the same values in `details.fields`; its id is `details.existingId`.',
  'conflict fixed': '`details.field` cannot change once the record is made.',
  'conflict locked': 'The field value is locked.',
  'conflict external_ref_taken': 'The external reference belongs to another record, `details.id`.',
  'conflict ambiguous_external_refs': 'The external references belong to different records, `details.ids`.',
  'conflict already_merged': 'The record is part of another already, `details.mergedIntoId`.',
  'conflict merged_too_large': 'The two together would hold more external references or custom fields than one may.',
  'conflict not_merged': 'The record is not merged into another, so that there is nothing to undo.',
  'conflict unmerge_too_late': 'The merge is older than 30 days and stays.',
  'conflict unmerge_under_way': 'What an earlier merge moved is still on its way back; wait until that is done.',
  'conflict facts_exist': 'The definition has facts already, so its type and scope stay.',
  'conflict facts_do_not_fit': 'A fact, `details.factId`, does not fit the new definition.',
  'conflict too_many_facts': 'The definition has too many facts to check them against a new type.',
  'conflict slot_full': 'Too many facts of this subject and key wait for a decision; reject some first.',
  'conflict name_taken':
    'Another organization, `details.organizationId`, has this name; send `allowSameName` to make both.',
  'conflict revoked': 'The key or subscription was revoked, which is final.',
  'conflict disabled': 'The subscription is disabled; set its status to active first.',
  'conflict last_owner': 'An organization keeps at least one owner: make someone else an owner first.',
  'conflict several_organizations':
    'The user belongs to other organizations too, so that only they or the operator may reset the password.',
  'conflict other_user': 'Somebody else is signed in; sign out first.',
  'conflict email_set': 'The user has an e-mail address already.',
  'conflict email_taken': 'The e-mail address is in use.',
  'conflict no_mail': 'The server sends no mail; ask an owner or the operator for a link.',
  'conflict no_open_id': 'No OpenID Connect provider is set up for signing in.',
  'unprocessable link_spent': 'The one-time link has been used, has expired or was withdrawn.',
  'unprocessable member_limit': 'There are as many members or open invitations as there may be.',
  'unprocessable model_key': 'A changed address of the model needs its key in the same request.',
  'unprocessable model_url': 'The address is none of those that the operator allows models at (`PARLEY_MODEL_URLS`).',
  'unprocessable recipient_opted_out': 'The number has asked for no more texts.',
  'unprocessable recipient_unreachable': 'No text can be sent to a sender name or a withheld number.',
  'unprocessable no_sender_number': 'There is no number to send from.',
  'unprocessable sender_not_active': 'The number to send from is released, retired or cannot send texts.',
  'unprocessable person_has_no_phone': 'The person to text has no number.',
  'unprocessable no_carrier': 'No carrier is set up for live texts.',
  'unprocessable no_check': 'The provider of the connection cannot be asked; set the status with PATCH.',
  'unprocessable no_check_credential': 'The connection lacks the credential that a check asks with; add it.',
  'forbidden other_account': 'What was sent is of another account of the provider than the connection.',
  'unprocessable calendar_feed_limit': 'There are as many calendar feeds as there may be.',
  'unprocessable subscription_limit': 'There are as many webhook subscriptions as there may be.',
}
