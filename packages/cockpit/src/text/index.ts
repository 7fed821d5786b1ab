// The words of the page in the reader's language. Another language is another file beside `en.ts` and a line here.
import { en, type Text } from './en'

const languages: Readonly<Record<string, Text>> = { en }

const wanted = navigator.languages.map((tag) => tag.split('-')[0] ?? '')

const language = wanted.find((tag) => tag in languages) ?? 'en'

export const text: Text = languages[language] ?? en

/** Tells the browser, and through it whoever reads the page aloud. */
export function applyLanguage(): void {
  document.documentElement.lang = language
  document.documentElement.dir = text.direction
}

/** How numbers and times are written: the reader's own way. */
export const locale = navigator.language
