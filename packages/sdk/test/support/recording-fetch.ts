// A `fetch` that remembers what was asked and how it ended, so that a test can tell which endpoints were reached.

export interface Asked {
  readonly method: string
  readonly path: string
  readonly status: number
}

export function recordingFetch(): { fetch: typeof globalThis.fetch; asked: Asked[] } {
  const asked: Asked[] = []
  const recording: typeof globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init)
    asked.push({
      method: init?.method ?? 'GET',
      path: new URL(String(input)).pathname.replace('/api/v1', ''),
      status: response.status,
    })
    return response
  }
  return { fetch: recording, asked }
}

/** Whether an endpoint of this path, with `{name}` for its parameters, is one that was asked. */
export function matches(template: string, path: string): boolean {
  const pattern = template.replace(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${pattern}$`).test(path)
}
