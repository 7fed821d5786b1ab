// Which media types are kept: nothing else ever is, so that nothing else is ever served. All are served for download
// only, never to be shown in a page.

/** The type without its parameters; undefined when it is no audio. */
export function audioType(header: string | undefined): string | undefined {
  const [, type] = /^(audio\/[a-z0-9][a-z0-9.+-]{0,100}) *(;|$)/i.exec(header ?? '') ?? []
  return type?.toLowerCase()
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

/** What people send with texts: pictures, sound, films, cards and documents. */
export function attachmentType(header: string | undefined): string | undefined {
  const [, type] =
    /^((?:audio|image|video)\/[a-z0-9][a-z0-9.+-]{0,100}|application\/pdf|text\/(?:x-)?vcard|text\/calendar|text\/plain) *(;|$)/i.exec(
      header ?? '',
    ) ?? []
  return type?.toLowerCase()
}
