// Zapier's own schema on the definition of the integration.
const { validateAppDefinition } = require('zapier-platform-schema')
const app = require('./index.js')

/** Functions are judged as Zapier keeps them: by what they are, not by what they do. */
const kept = (value) => {
  if (typeof value === 'function') return `$func$${value.length}$f$`
  if (Array.isArray(value)) return value.map(kept)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, kept(one)]))
}

const { errors } = validateAppDefinition(kept(app))
for (const error of errors) console.error(`${error.property}: ${error.message}`)
console.log(errors.length === 0 ? 'The definition is valid.' : `${errors.length} errors`)
process.exitCode = errors.length === 0 ? 0 : 1
