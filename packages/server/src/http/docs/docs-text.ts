// Text on the page at `/docs`: escaped, with the little Markdown that descriptions use.

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escape = (text: string): string => text.replace(/[&<>"]/g, (letter) => escapes[letter] ?? letter)

/** Code and bold. */
export const inline = (text: string): string =>
  escape(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')

export const paragraphs = (text: string): string =>
  text === ''
    ? ''
    : text
        .split('\n\n')
        .map((one) => `<p>${inline(one)}</p>`)
        .join('')
