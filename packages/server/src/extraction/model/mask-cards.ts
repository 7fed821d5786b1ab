// Card numbers are masked before anything leaves: digits that pass the check of card numbers become asterisks, one for
// one, so that places in the text stay.

/** Thirteen to nineteen digits, written together or in groups. */
const runs = /(?<![\d])\d(?:[ -]?\d){12,18}(?![\d])/g

export const maskCards = (text: string): string =>
  text.replace(runs, (run) => (isCardNumber(run) ? run.replace(/\d/g, '*') : run))

/** Luhn's check. */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/\D/g, '').split('').reverse().map(Number)
  const sum = digits.reduce((total, digit, index) => total + (index % 2 === 0 ? digit : doubled(digit)), 0)
  return digits.length >= 13 && sum % 10 === 0 && digits.some((digit) => digit !== 0)
}

const doubled = (digit: number): number => (digit > 4 ? digit * 2 - 9 : digit * 2)
