// Light, dark, or what the system says. The one thing that this page keeps in the browser besides the last place.
export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const STORED = 'parley theme'

export function chosenTheme(): Theme {
  const stored = localStorage.getItem(STORED)
  return themes.find((theme) => theme === stored) ?? 'system'
}

export function applyTheme(theme: Theme = chosenTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORED, theme)
  applyTheme(theme)
}
