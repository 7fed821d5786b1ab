// Which media types are kept: nothing else ever is, so that nothing else is ever served. All are served for download
// only, never to be shown in a page.

/** The type without its parameters; undefined when it is no audio. */
export function audioType(header: string | undefined): string | undefined {
  const [, type] = /^(audio\/[a-z0-9][a-z0-9.+-]{0,100}) *(;|$)/i.exec(header ?? '') ?? []
  return type?.toLowerCase()
}

/** What people send with texts: pictures, sound, films, cards and documents. */
export function attachmentType(header: string | undefined): string | undefined {
  const [, type] =
    /^((?:audio|image|video)\/[a-z0-9][a-z0-9.+-]{0,100}|application\/pdf|text\/(?:x-)?vcard|text\/calendar|text\/plain) *(;|$)/i.exec(
      header ?? '',
    ) ?? []
  return type?.toLowerCase()
}
