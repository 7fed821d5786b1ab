// Copies a text. A page that came without encryption has no clipboard of its own; there the old way still works.

export async function copyText(value: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(value)
  const area = document.createElement('textarea')
  area.value = value
  area.className = 'sr-only'
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
