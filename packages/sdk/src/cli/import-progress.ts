// How far an import has come: everything before a mark is settled, so that a run that was cut off goes on there. The
// bad rows are kept in a file of their own, cut back to what the mark knows of.
import { open, truncate } from 'node:fs/promises'
import { readJsonFile, writePrivate } from './config-file.js'

export interface Mark {
  /** Rows from the beginning that are settled, well or badly. */
  readonly done: number
  readonly failed: number
  /** How long the file of errors was. */
  readonly errorBytes: number
  readonly isFinished: boolean
}

export const beginning: Mark = { done: 0, failed: 0, errorBytes: 0, isFinished: false }

export const readMark = async (path: string): Promise<Mark> => ({
  ...beginning,
  ...((await readJsonFile(path)) as Partial<Mark> | undefined),
})

const rowsPerSave = 50

export interface Progress {
  readonly mark: Mark
  /** A row is settled; `error` is what goes into the file of errors. */
  settle(index: number, error?: object): Promise<void>
  save(isFinished: boolean): Promise<void>
}

export async function createProgress(path: string, errorFile: string, from: Mark): Promise<Progress> {
  await truncate(errorFile, from.errorBytes).catch(() => undefined)
  let mark = from
  /** Rows past the mark that are settled already, because several are under way at once. */
  const ahead = new Map<number, object | undefined>()
  let saved = from.done
  let saving: Promise<void> = Promise.resolve()
  const save = (isFinished: boolean): Promise<void> => {
    saving = saving.then(async () => {
      const errors: object[] = []
      let { done } = mark
      for (; ahead.has(done); done += 1) {
        const error = ahead.get(done)
        if (error) errors.push(error)
        ahead.delete(done)
      }
      const errorBytes = mark.errorBytes + (await append(errorFile, errors))
      mark = { done, failed: mark.failed + errors.length, errorBytes, isFinished }
      await writePrivate(path, JSON.stringify(mark))
      saved = done
    })
    return saving
  }
  return {
    get mark() {
      return mark
    },
    async settle(index, error) {
      ahead.set(index, error)
      if (index - saved >= rowsPerSave && index % rowsPerSave === 0) await save(false)
    },
    save,
  }
}

async function append(file: string, errors: readonly object[]): Promise<number> {
  if (errors.length === 0) return 0
  const bytes = Buffer.from(errors.map((error) => `${JSON.stringify(error)}\n`).join(''))
  const handle = await open(file, 'a', 0o600)
  try {
    await handle.write(bytes)
    await handle.datasync()
  } finally {
    await handle.close()
  }
  return bytes.length
}
