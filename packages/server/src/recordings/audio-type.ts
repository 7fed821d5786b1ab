// Which media types are kept: nothing else ever is, so that nothing else is ever served. All are served for download
// only, never to be shown in a page.

/** The type without its parameters; undefined when it is no audio. */
export function audioType(header: string | undefined): string | undefined {
  const [, type] = /^(audio\/[a-z0-9][a-z0-9.+-]{0,100}) *(;|$)/i.exec(header ?? '') ?? []
  return type?.toLowerCase()
}

/** Generated clients send bytes of any kind under this type. */
export const isAnyBytes = (header: string | undefined): boolean =>
  /^application\/octet-stream *(;|$)/i.test(header ?? '')

const BYTES_THAT_TELL = 12

/** How the formats that telephony writes begin. A dot stands for any byte. */
const beginnings: readonly (readonly [RegExp, string])[] = [
  [/^RIFF....WAVE/s, 'audio/wav'],
  [/^ID3/, 'audio/mpeg'],
  // Eleven bits of synchronisation, then MPEG of any version, layer III.
  [/^\xff[\xe2\xe3\xf2\xf3\xfa\xfb]/, 'audio/mpeg'],
  [/^\xff[\xf0\xf1\xf8\xf9]/, 'audio/aac'],
  [/^OggS/, 'audio/ogg'],
  [/^fLaC/, 'audio/flac'],
  [/^....ftyp/s, 'audio/mp4'],
  [/^#!AMR/, 'audio/amr'],
  [/^\x1aE\xdf\xa3/, 'audio/webm'],
  [/^\.snd/, 'audio/basic'],
]

/** The type that the first bytes of a recording tell; undefined when they tell none. */
export function toldType(bytes: Buffer): string | undefined {
  const text = bytes.toString('latin1', 0, BYTES_THAT_TELL)
  return beginnings.find(([pattern]) => pattern.test(text))?.[1]
}

/** The same bytes, with the type that the first of them tell. */
export async function withToldType(
  source: AsyncIterable<Buffer>,
): Promise<{ mediaType: string | undefined; bytes: AsyncIterable<Buffer> }> {
  const chunks = source[Symbol.asyncIterator]()
  let first = Buffer.alloc(0)
  while (first.length < BYTES_THAT_TELL) {
    const next = await chunks.next()
    if (next.done) break
    first = Buffer.concat([first, next.value])
  }
  const rest = { [Symbol.asyncIterator]: () => chunks }
  const whole = async function* () {
    if (first.length > 0) yield first
    yield* rest
  }
  return { mediaType: toldType(first), bytes: whole() }
}

const byEnding: Readonly<Record<string, string>> = {
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.ogg': 'audio/ogg',
  '.m4a': 'audio/mp4',
  '.webm': 'audio/webm',
}

/** Stores of files often call everything a stream of bytes; then the name tells. */
export function audioTypeOf(header: string | undefined, path: string): string | undefined {
  const isAnything = /^(application|binary)\/octet-stream *(;|$)/i.test(header ?? '')
  const [ending = ''] = /\.\w{3,4}$/.exec(path) ?? []
  return audioType(header) ?? (isAnything ? byEnding[ending.toLowerCase()] : undefined)
}

/** What people send with SMS: pictures, sound, films, cards and documents. */
export function attachmentType(header: string | undefined): string | undefined {
  const [, type] =
    /^((?:audio|image|video)\/[a-z0-9][a-z0-9.+-]{0,100}|application\/pdf|text\/(?:x-)?vcard|text\/calendar|text\/plain) *(;|$)/i.exec(
      header ?? '',
    ) ?? []
  return type?.toLowerCase()
}
