// Lists of words as people edit them: one in each line.

export const toLines = (words: readonly string[]): string => words.join('\n')

export const fromLines = (typed: string): string[] =>
  typed
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
