// What a value is, told to the compiler too: one of a list, or an object.

export const isOneOf = <const T>(values: readonly T[], value: unknown): value is T =>
  values.some((one) => one === value)

/** Whether a value is an object with keys: neither null nor a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
