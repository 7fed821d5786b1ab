// Where this package lies. Its other files (migrations, pages, the version) are found from here, whether what runs was
// compiled file by file or into a few.
import { existsSync } from 'node:fs'

export const packageFolder: URL = folderAbove(new URL('.', import.meta.url))

function folderAbove(folder: URL): URL {
  if (existsSync(new URL('package.json', folder)) || folder.pathname === '/') return folder
  return folderAbove(new URL('..', folder))
}
