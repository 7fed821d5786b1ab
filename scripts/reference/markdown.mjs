// The little Markdown that the reference pages are made of.

const notice = '<!-- Made by scripts/reference.mjs; edit the code, not this page. -->'

/** A whole page: parts are separated by blank lines, and those that are empty left out. */
export const page = (...parts) => `${[notice, ...parts.flat()].filter(Boolean).join('\n\n')}\n`

export function table(heads, rows) {
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}

const cell = (text) =>
  String(text ?? '')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')

export const code = (text) => `\`${text}\``
export const codes = (texts) => texts.map(code).join(', ')
export const json = (value) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
export const mermaid = (lines) => `\`\`\`mermaid\n${lines.join('\n')}\n\`\`\``
/** As GitHub makes anchors of headings. */
const anchor = (heading) =>
  `#${heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')}`
export const link = (heading) => `[${heading}](${anchor(heading)})`
