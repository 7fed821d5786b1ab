// Made-up people for bench/search.mjs: names as unevenly spread as real ones, and words whose place in time is known
// exactly. The same index always makes the same person, but for the random bits of the id.

import { randomBytes } from 'node:crypto'

export const rowCount = 500_000
const firstCreatedMs = Date.UTC(2023, 0, 1)
const importedShare = 0.98

const firstNames = namesOf(
  ['Maria', 'James', 'Anna', 'David', 'José', 'Mary', 'Aïcha', 'Wei', 'Olga', 'Qxenia'],
  ['a', 'be', 'da', 'el', 'fi', 'jo', 'ka', 'li', 'mo', 'ra'],
  ['na', 'ria', 'son', 'lda', 'rt', 'x'],
)
const lastNames = namesOf(
  ['Smith', "O'Brien", 'García', 'Nguyen', 'Müller', 'Lee'],
  ['ab', 'bro', 'cha', 'del', 'fer', 'gra', 'hol', 'kov', 'lin', 'mac', 'nor', 'per', 'ros', 'sto', 'tur', 'wil'],
  ['ach', 'berg', 'dez', 'ford', 'ini', 'man', 'ov', 'ski', 'ton', 'wood', 'yama', 'zz'],
)

/** One row of the table, ready for its columns; rows of a higher index are younger. */
export function personRow(tenantId, index, searchText) {
  const createdMs = createdMsOf(index)
  const [first, middle, last] = [pick(firstNames, index, 1), pick(firstNames, index, 2), pick(lastNames, index, 3)]
  const displayName = [first, last, ...marksOf(index)].join(' ')
  const primaryEmail = `${first}.${last}${index % 97}@${domainOf(index)}`.toLowerCase()
  const primaryPhone = `+1${2_000_000_000 + Math.floor(scatter(index, 4) * 7_999_999_999)}`
  const legalName = index % 3 === 0 ? `${first} ${middle} ${last}` : null
  const at = new Date(createdMs).toISOString()
  const id = uuidv7(createdMs)
  const customFields = { plan: 'standard', region: `region ${index % 50}`, remark: 'nothing to remark '.repeat(22) }
  const record = {
    id,
    organizationId: tenantId,
    createdAt: at,
    updatedAt: at,
    displayName,
    legalName,
    firstName: first,
    lastName: last,
    primaryEmail,
    primaryPhone,
    customerId: null,
    customFields,
    createdVia: 'import',
  }
  return {
    tenantId,
    id,
    record: JSON.stringify(record),
    search: searchText([displayName, legalName ?? '', primaryEmail, primaryPhone]),
  }
}

/** Most rows came in one import, a hundred a second; since then there is one a minute. */
export function createdMsOf(index) {
  const imported = Math.min(index, rowCount * importedShare)
  return firstCreatedMs + imported * 10 + (index - imported) * 60_000
}

/** The words that the cases look for. */
function marksOf(index) {
  const age = index / rowCount
  const marks = {
    onlyone: index === 123_456,
    percent: index % 100 === 7,
    seldom: index % 500 === 7,
    scarce: index % 5_000 === 7,
    earliest: age < 0.01,
    archived: age < 0.1,
    legacy: age < 0.5,
    converted: age < 2 / 3,
    migrated: age < importedShare,
    recent: age >= importedShare,
  }
  return Object.keys(marks).filter((mark) => marks[mark])
}

function domainOf(index) {
  const share = scatter(index, 5)
  if (share < 0.45) return 'gmail.com'
  if (share < 0.7) return 'outlook.com'
  return share < 0.9 ? `${pick(lastNames, index, 6).replace(/\W/g, '')}.com` : 'example.org'
}

function namesOf(known, starts, ends) {
  const made = starts.flatMap((start) =>
    starts.flatMap((middle) => ends.map((end) => start[0].toUpperCase() + start.slice(1) + middle + end)),
  )
  return [...known, ...made]
}

/** The first names of a list are common, the last ones rare. */
function pick(names, index, salt) {
  return names[Math.floor(names.length * scatter(index, salt) ** 3)]
}

/** A number from 0 to 1 that looks random, always the same for the same arguments. */
function scatter(index, salt) {
  let bits = Math.imul(index ^ Math.imul(salt, 0x9e3779b1), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  bits = Math.imul(bits ^ (bits >>> 16), 0x27d4eb2f)
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32
}

function uuidv7(ms) {
  const hex = ms.toString(16).padStart(12, '0') + randomBytes(10).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
