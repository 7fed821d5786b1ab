// Text as HTML: escaped, with the little Markdown that descriptions use, and code with its strings and comments coloured.

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escape = (text) => text.replace(/[&<>"]/g, (letter) => escapes[letter])

/** Code and bold. */
export const inline = (text) =>
  escape(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')

export const paragraphs = (text) =>
  text === ''
    ? ''
    : text
        .split('\n\n')
        .map((one) => `<p>${inline(one)}</p>`)
        .join('')

/** An anchor that a heading or a field shows when one points at it. */
export const anchor = (id, title) =>
  `<a class="anchor" href="#${encodeURI(id)}" aria-label="Link to ${escape(title)}">#</a>`

const patterns = {
  json: /"(?:[^"\\\n]|\\.)*"(?=\s*:)|("(?:[^"\\\n]|\\.)*")/g,
  hash: /(^|\s)#.*$|('(?:[^'\\]|\\.)*'|"(?:[^"\\\n]|\\.)*")/gm,
  slash: /(^|\s)\/\/.*$|('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`]*`)/gm,
}
const families = {
  json: 'json',
  ...Object.fromEntries(
    ['sh', 'bash', 'shell', 'curl', 'python', 'py', 'ruby', 'rb', 'yaml'].map((name) => [name, 'hash']),
  ),
  ...Object.fromEntries(['ts', 'typescript', 'js', 'go', 'php', 'java', 'csharp'].map((name) => [name, 'slash'])),
}

/** The inside of a `pre`. */
export function coloured(code, language) {
  const pattern = patterns[families[language]]
  if (pattern === undefined) return escape(code)
  let out = ''
  let from = 0
  for (const found of code.matchAll(pattern)) {
    const [text] = found
    const isString = found.at(-1) !== undefined
    out += escape(code.slice(from, found.index))
    out += isString ? `<i>${escape(text)}</i>` : `<b>${escape(text)}</b>`
    from = found.index + text.length
  }
  return out + escape(code.slice(from))
}

/** Can be reached and scrolled by keyboard. */
export const codeBlock = (code, language = '', className = '') =>
  `<pre tabindex="0"${className && ` class="${className}"`}><code>${coloured(code, language)}</code></pre>`
