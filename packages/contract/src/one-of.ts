// Whether a value is one of a list, told to the compiler too.

export const isOneOf = <const T>(values: readonly T[], value: unknown): value is T =>
  values.some((one) => one === value)
