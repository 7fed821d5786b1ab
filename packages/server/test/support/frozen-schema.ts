// Says in which ways a JSON Schema breaks the promise of an older one. Only one change keeps it: a key that was added
// and may be missing. What is said about a key, and what its shape is called, may change.

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** For readers, not for programs. */
const words = new Set(['description', 'title'])

export function brokenPromises(frozen: Json, current: Json, path = ''): string[] {
  if (!isObject(frozen) || !isObject(current))
    return JSON.stringify(frozen) === JSON.stringify(current) ? [] : [`${path} was ${JSON.stringify(frozen)}`]
  const keys = new Set([...Object.keys(frozen), ...Object.keys(current)].filter((key) => !words.has(key)))
  return [...keys].flatMap((key) => {
    const [before, after] = [frozen[key], current[key]]
    const at = path ? `${path}.${key}` : key
    if (before === undefined) return [`${at} was added`]
    if (after === undefined) return [`${at} was removed`]
    return key === 'properties' && isObject(before) && isObject(after)
      ? brokenProperties(before, after, current['required'] as readonly Json[] | undefined, at)
      : brokenPromises(before, after, at)
  })
}

function brokenProperties(
  frozen: { readonly [key: string]: Json },
  current: { readonly [key: string]: Json },
  required: readonly Json[] = [],
  path: string,
): string[] {
  const kept = Object.entries(frozen).flatMap(([name, before]) => {
    const after = current[name]
    return after === undefined ? [`${path}.${name} was removed`] : brokenPromises(before, after, `${path}.${name}`)
  })
  const added = Object.keys(current).filter((name) => !Object.hasOwn(frozen, name) && required.includes(name))
  return [...kept, ...added.map((name) => `${path}.${name} was added and is required`)]
}
