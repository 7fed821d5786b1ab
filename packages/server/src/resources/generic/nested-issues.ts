// Says where in a larger body a problem was found: what checks a part names its paths as if the part were the whole.
import type { Issue } from '@parley/contract'
import { ApiError, badRequests } from '../../store/api-error.js'

/** Runs `work`; the problems it reports are named below `path`, such as `facts[3].value`. */
export async function prefixIssues<T>(path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'bad_request' && Array.isArray(error.details)) {
      throw badRequests((error.details as Issue[]).map((issue) => ({ ...issue, path: joined(path, issue.path) })))
    }
    throw error
  }
}

const joined = (path: string, below: string): string =>
  below === '' || below.startsWith('[') ? `${path}${below}` : `${path}.${below}`
