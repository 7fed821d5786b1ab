// The colours, type and radii of the cockpit, taken from its own style sheet so that both look like one product.

export function designTokens(styles) {
  const [, block] = styles.match(/@theme \{([\s\S]*?)\n\}/) ?? []
  if (block === undefined)
    throw new Error('packages/cockpit/src/styles.css has no @theme block to take the tokens from')
  const lines = block.split('\n').filter((line) => line.trim() !== '' && !/--[\w-]+-\*:|--breakpoint/.test(line))
  return `:root {\n${lines.join('\n')}\n}`
}
