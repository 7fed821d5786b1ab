// Twilio's error codes in words that tell what to do. Those that nobody meets are left to Twilio's own page.

const words: Readonly<Record<string, string>> = {
  '20003': 'Twilio refused the credentials: check accountSid and authToken, or the API key',
  '20404': 'Twilio has no such account or resource',
  '20429': 'Twilio takes no more requests for the moment',
  '21211': 'The number does not exist',
  '21408': 'The account may not send to this country: enable it under Messaging geographic permissions',
  '21606': 'The sending number is not one of the account, or cannot send texts',
  '21610': 'The recipient has opted out with STOP',
  '21611': 'The sending number has too many texts waiting',
  '21612': 'Twilio has no route from this number to the recipient',
  '21614': 'The number cannot receive texts: it is no mobile number',
  '21617': 'The text is too long',
  '30001': 'Too many texts were waiting at Twilio',
  '30002': 'The Twilio account is suspended',
  '30003': 'The phone is off or out of reach',
  '30004': 'The recipient or the carrier blocks the text',
  '30005': 'The number is unknown or no longer in service',
  '30006': 'The number is a landline or its carrier takes no texts',
  '30007': 'The carrier took the text for spam',
  '30008': 'The carrier did not say why it failed',
  '30010': 'The text costs more than the limit that was set',
  '30022': 'More texts than the campaign may send',
  '30023': 'The daily limit of the campaign is reached',
  '30024': 'The sending number is not yet set up at the carrier',
  '30032': 'The toll-free number is not verified',
  '30034': 'The number is not registered for business texts (A2P 10DLC)',
  '30410': 'The carrier did not answer in time',
}

/** Null where there is no code. */
export function wordsFor(code: string | undefined, said?: string): string | null {
  if (code === undefined || code === '' || code === '0') return said ?? null
  return words[code] ?? said ?? `Twilio error ${code}; see https://www.twilio.com/docs/api/errors/${code}`
}
