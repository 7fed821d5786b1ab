// Which media types are audio: nothing else is ever kept, so that nothing else is ever served.

/** The type without its parameters; undefined when it is no audio. */
export function audioType(header: string | undefined): string | undefined {
  const [, type] = /^(audio\/[a-z0-9][a-z0-9.+-]{0,100}) *(;|$)/i.exec(header ?? '') ?? []
  return type?.toLowerCase()
}
