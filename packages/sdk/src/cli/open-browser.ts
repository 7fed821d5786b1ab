// Opens a page in whatever browser the machine has. Where it has none, the address was printed anyway.
import { spawn } from 'node:child_process'

const openers: Readonly<Record<string, readonly string[]>> = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }

export function openInBrowser(url: string): void {
  const [command = 'xdg-open', ...args] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}
