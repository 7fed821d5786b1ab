// What was probably meant: flags of other command lines, and values that want a flag.

/** What people type, and what it is called here. */
const meant: Readonly<Record<string, string>> = {
  '--where': '--filter <name=value>',
  '--search': '--query <text>',
  '--order': '--sort <field>',
  '--order-by': '--sort <field>',
  '--max': '--limit <number>',
  '--count': '--limit <number>',
  '--fields': '--columns <names>',
  '--output': '--out <file>',
  '--file': '--out <file>',
  '--body': '--data <json>',
  '--url': '--forward-to <url> or --base-url <url>',
  '--host': '--base-url <url>',
  '--type': '--events <types>',
  '--event-types': '--events <types>',
  '--token': '--api-key <key>',
  '--key': '--api-key <key>',
  '--env': '--profile <name>',
  '--live': '--profile <name>, made with `parley login --name <name>`',
  '--force': '--yes',
  '--set': '--override <field=value>',
  '--secret': '--print-secret',
  '--insecure': '--skip-verify',
  '--header': '--headers <name: value>',
  '--load-from-webhooks-api': '--use-configured-webhooks',
}

/** The error as it is, with a line on the right flag where one is known. */
export function hinted(text: string): string {
  const [, flag = ''] = /unknown option '(--[\w-]+)/.exec(text) ?? []
  const right =
    Object.hasOwn(meant, flag) && !text.includes('Did you mean') ? `(it is called ${meant[flag]})` : undefined
  const isFilter = /too many arguments/.test(text) && 'narrow a list with --filter name=value, or --query "words"'
  const hint = right ?? (isFilter ? `(${isFilter})` : undefined)
  return hint === undefined ? text : text.replace('\n', `\n${hint}\n`)
}
