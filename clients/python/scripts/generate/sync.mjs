// The client in threads, from the one on an event loop: the same text without the waiting words.

const words = [
  [/\bAsync([A-Z]\w*)/g, '$1'],
  [/\basync (def|for|with)\b/g, '$1'],
  [/`async with`/g, '`with`'],
  [/\bawait /g, ''],
  [/(?<=\S )async (?=for )/g, ''],
  [/\banext\(/g, 'next('],
  [/\b__aiter__\b/g, '__iter__'],
  [/\b__aenter__\b/g, '__enter__'],
  [/\b__aexit__\b/g, '__exit__'],
  [/\baiter_bytes\b/g, 'iter_bytes'],
  [/\baclose\b/g, 'close'],
]

export const inThreads = (source) => words.reduce((text, [from, to]) => text.replace(from, to), source)
