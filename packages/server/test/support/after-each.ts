// What a test opens and the next one must not meet. Files share their modules, so the hook that closes it is not in a
// module but in setup.ts, which runs for each file.

const closing: (() => Promise<unknown>)[] = []

export function closeAfterTest(close: () => Promise<unknown>): void {
  closing.push(close)
}

/** In the mirror order of opening. One that cannot be closed keeps no other open. */
export async function closeAll(): Promise<void> {
  const failures: unknown[] = []
  for (const close of closing.splice(0).reverse()) await close().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
