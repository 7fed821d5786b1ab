// A private certificate authority for tests, made with the openssl command: the sender is told to trust it, and it
// signs whatever a test needs.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Certificate {
  key: string
  cert: string
}

export interface Authority {
  /** What a client trusts. */
  ca: string
  /** `names` as openssl writes them: `DNS:example.com`, `IP:127.0.0.1`. */
  issue(names: readonly string[], options?: { expired?: boolean }): Certificate
  /** Signed by itself: nobody vouches for it. */
  selfSigned(names: readonly string[]): Certificate
}

export function createAuthority(): Authority {
  const ca = selfSigned([], 'CA:TRUE')
  return { ca: ca.cert, selfSigned, issue: (names, { expired = false } = {}) => issue(ca, names, expired) }
}

const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'key.pem']

function selfSigned(names: readonly string[], constraints = 'CA:FALSE'): Certificate {
  return inFolder((folder, openssl) => {
    const extensions = [
      `basicConstraints=critical,${constraints}`,
      ...(names.length > 0 ? [`subjectAltName=${names.join(',')}`] : []),
    ]
    openssl(
      'req',
      '-x509',
      ...curve,
      '-subj',
      '/CN=Parley test',
      '-days',
      '2',
      '-out',
      'cert.pem',
      ...extensions.flatMap((extension) => ['-addext', extension]),
    )
    return readPair(folder)
  })
}

/** `openssl ca` is the one subcommand of version 3.0 that can date a certificate into the past. */
function issue(authority: Certificate, names: readonly string[], expired: boolean): Certificate {
  return inFolder((folder, openssl) => {
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
    write('ca.pem', authority.cert)
    write('ca-key.pem', authority.key)
    write('index.txt', '')
    write('serial', `${Date.now().toString(16)}00`.padStart(16, '0'))
    write(
      'ca.cnf',
      [
        '[ca]',
        'default_ca=main',
        '[main]',
        'database=index.txt',
        'serial=serial',
        'new_certs_dir=.',
        'policy=any',
        '[any]',
        'commonName=optional',
      ].join('\n'),
    )
    write('extensions.cnf', `basicConstraints=critical,CA:FALSE\nsubjectAltName=${names.join(',')}\n`)
    openssl('req', ...curve, '-subj', '/CN=Parley subscriber', '-out', 'request.pem')
    const dates = expired ? ['-startdate', '20200101000000Z', '-enddate', '20210101000000Z'] : ['-days', '2']
    const files = [
      '-config',
      'ca.cnf',
      '-cert',
      'ca.pem',
      '-keyfile',
      'ca-key.pem',
      '-in',
      'request.pem',
      '-out',
      'cert.pem',
      '-extfile',
      'extensions.cnf',
    ]
    openssl('ca', '-batch', '-notext', '-md', 'sha256', ...files, ...dates)
    return readPair(folder)
  })
}

function readPair(folder: string): Certificate {
  return { key: readFileSync(join(folder, 'key.pem'), 'utf8'), cert: readFileSync(join(folder, 'cert.pem'), 'utf8') }
}

function inFolder<T>(work: (folder: string, openssl: (...args: string[]) => void) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'parley-ca-'))
  try {
    return work(folder, (...args) => void execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
