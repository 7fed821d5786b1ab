// Reading a URL that may be none.

/**
 * Undefined when it is no URL. `URL.canParse` would ask the same, but Node 20 answers it wrongly for letters such as ü
 * once the code that asks is hot.
 */
export function readUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
