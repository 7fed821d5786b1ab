// What a test opens and the next one must not meet. Files share their modules, so the hook that closes it is not in a
// module but in setup.ts, which runs for each file.

const closing: (() => Promise<unknown>)[] = []

export function closeAfterTest(close: () => Promise<unknown>): void {
  closing.push(close)
}

/** In the mirror order of opening. */
export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close()
}
