// What keeps the service from starting and the operator can put right.
// The message is one line that says what to do; the caller prints it and exits with 1.

export class StartupError extends Error {
  override name = 'StartupError'
}

/**
 * Turns trouble with files and processes into a StartupError; anything that is not the operator's to fix is returned as
 * it is.
 */
export function explain(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || error instanceof StartupError) return error
  const { code, path }: NodeJS.ErrnoException = error
  const advice = code === undefined ? undefined : adviceFor(code, path ?? folder, folder)
  return advice === undefined ? error : new StartupError(advice, { cause: error })
}

function adviceFor(code: string, path: string, folder: string): string | undefined {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return noSpace(folder)
    case 'EACCES':
    case 'EPERM':
      return (
        `Cannot write to ${path} (permission denied): make ${folder} writable for the user that runs ` +
        'the server, or set PARLEY_DATA_DIR to another folder'
      )
    case 'EROFS':
      return `Cannot write to ${path} (read-only file system): set PARLEY_DATA_DIR to a folder that can be written`
    case 'ENOTDIR':
    case 'EEXIST':
      return (
        `Cannot use ${folder} as the data folder, because a file of that name is in the way: move it, ` +
        'or set PARLEY_DATA_DIR to another folder'
      )
    case 'ENAMETOOLONG':
      return `The path of the data folder ${folder} is too long: set PARLEY_DATA_DIR to a shorter one`
    default:
      return undefined
  }
}

export function noSpace(folder: string): string {
  return (
    `No space left on the disk that holds ${folder}: free some and start again, or set ` +
    'PARLEY_DATA_DIR to a folder on another disk'
  )
}
