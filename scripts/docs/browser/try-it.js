// Sends a request of the reference to this very service. The key is pasted by the reader and kept in this module alone:
// it is in no storage, in no address and in no cookie, and gone when the page is reloaded or left. Who is signed in here may use that instead.

let pasted = ''
let session
let place

/** Puts the form below the operation. `onKey` is called when a key is pasted, `onClose` when the reader is done. */
export async function openTryIt(operation, api, { onKey, onClose }) {
  const form = document.createElement('form')
  form.className = 'try-it'
  form.noValidate = true
  form.autocomplete = 'off'
  form.append(...(await credentials(operation, api, onKey)), ...inputs(operation), buttons(form, onClose), result())
  operation.querySelector('.path').after(form)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    send(form, operation, api)
  })
  form.querySelector('input, select, textarea, button').focus()
}

const element = (tag, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}

const field = (label, input) => element('label', {}, element('span', { textContent: label }), input)

async function credentials({ dataset }, api, onKey) {
  if (!('key' in dataset) && !('session' in dataset)) return [element('p', { textContent: 'Needs no key.' })]
  session ??= fetch(new URL(`${api}/session`), { credentials: 'same-origin' })
    .then((response) => (response.ok ? response.json() : {}))
    .catch(() => ({}))
  const { organizations = [] } = await session
  // Not a password: the browser would offer to keep it.
  const key = element('input', {
    type: 'text',
    className: 'masked',
    name: 'key',
    value: pasted,
    placeholder: 'ak_test_…',
    autocomplete: 'off',
    spellcheck: false,
  })
  key.addEventListener('input', () => {
    pasted = key.value.trim()
    onKey()
  })
  const hint = element('p', {
    className: 'quiet',
    textContent:
      'The key stays in the memory of this tab until you reload or leave: nothing stores it, and it goes to this service only.',
  })
  const keyField = element('div', { className: 'with-key' }, field('API key', key), hint)
  if (!organizations?.length || !('session' in dataset))
    return 'key' in dataset ? [keyField] : [element('p', { textContent: 'Needs somebody who has signed in here.' })]
  return [whoActs(organizations, 'key' in dataset, keyField), keyField]
}

/** A key, or the session in one environment of one organization, which is shown by its name. */
function whoActs(organizations, takesKey, keyField) {
  const choices = organizations.flatMap(({ id, name }) =>
    ['sandbox', 'production'].map((environment) => ({ id, environment, label: `My session: ${name}, ${environment}` })),
  )
  const select = element('select', { name: 'who' })
  if (takesKey) select.append(element('option', { value: '', textContent: 'A key that I paste' }))
  for (const { id, environment, label } of choices)
    select.append(element('option', { value: `${id} ${environment}`, textContent: label }))
  // The sandbox of the session, unless a key was pasted already.
  select.value = place ?? (pasted || !takesKey ? select.options[0].value : select.options[1].value)
  const show = () => {
    place = select.value
    keyField.hidden = select.value !== ''
  }
  select.addEventListener('change', show)
  show()
  return field('Act as', select)
}

function inputs(operation) {
  const parameters = [...operation.querySelectorAll('[data-in]')].map(({ dataset }) => {
    const { name, in: where, example = '' } = dataset
    const input = element('input', {
      type: 'text',
      name: `${where} ${name}`,
      placeholder: example,
      spellcheck: false,
      autocomplete: 'off',
    })
    if ('required' in dataset) input.required = true
    if (name === 'Idempotency-Key') input.value = crypto.randomUUID()
    return field(`${name}${'required' in dataset ? ' (required)' : ''}`, input)
  })
  const required = parameters.filter(
    (one) => one.querySelector('input').required || one.querySelector('input').value !== '',
  )
  const rest = parameters.filter((one) => !required.includes(one))
  const optional = element(
    'details',
    {},
    element('summary', { textContent: `${rest.length} optional parameters` }),
    ...rest,
  )
  return [...required, ...(rest.length > 0 ? [optional] : []), ...bodyInput(operation)]
}

function bodyInput(operation) {
  const { body } = operation.dataset
  if (body === undefined) return []
  if (body !== 'application/json') return [field('File', element('input', { type: 'file', name: 'file' }))]
  const text = operation.querySelector('pre.body')?.textContent ?? '{}'
  return [
    field(
      'Body',
      element('textarea', {
        name: 'body',
        value: text,
        rows: Math.min(text.split('\n').length + 1, 18),
        spellcheck: false,
      }),
    ),
  ]
}

function buttons(form, onClose) {
  const close = element('button', { type: 'button', textContent: 'Close' })
  close.addEventListener('click', () => {
    form.stop?.()
    form.remove()
    onClose()
  })
  return element(
    'div',
    { className: 'buttons' },
    element('button', { type: 'submit', className: 'send', textContent: 'Send' }),
    close,
  )
}

function result() {
  const status = element('p')
  status.setAttribute('role', 'status')
  return element('div', { className: 'result' }, status)
}

async function send(form, operation, api) {
  const problem = problemOf(form)
  if (problem) return say(form, problem)
  let request
  try {
    request = requestOf(form, operation, api)
  } catch {
    return say(form, 'A key or a header holds a letter that HTTP does not take.')
  }
  if (request.isProduction && request.method !== 'GET' && !(await confirmed(request)))
    return say(form, 'Nothing was sent.')
  const stop = new AbortController()
  form.stop?.()
  form.stop = () => stop.abort()
  say(form, 'Sending …')
  const began = performance.now()
  try {
    const response = await fetch(request.url, { ...request, signal: stop.signal, cache: 'no-store' })
    await showAnswer(form, response, Math.round(performance.now() - began))
  } catch (error) {
    if (error.name !== 'AbortError') say(form, `No answer: ${error.message}`)
  }
}

function problemOf(form) {
  const missing = [...form.querySelectorAll('input[required]')].find((input) => input.value.trim() === '')
  if (missing) {
    missing.focus()
    return `${missing.name.split(' ')[1]} is required.`
  }
  const key = form.querySelector('.with-key:not([hidden]) input')
  if (key && key.value.trim() === '') {
    key.focus()
    return 'Paste an API key first.'
  }
  try {
    if (form.elements.body) JSON.parse(form.elements.body.value)
  } catch (error) {
    form.elements.body.focus()
    return `The body is not JSON: ${error.message}`
  }
  return undefined
}

function requestOf(form, { dataset }, api) {
  const given = [...form.querySelectorAll('input[type=text]:not([name=key])')]
    .map(({ name, value }) => [...name.split(' '), value.trim()])
    .filter(([, , value]) => value !== '')
  const of = (where) => given.filter(([place]) => place === where).map(([, name, value]) => [name, value])
  const path = of('path').reduce(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
    dataset.path,
  )
  const query = new URLSearchParams(of('query'))
  const headers = new Headers(of('header'))
  const body = form.elements.body?.value ?? form.elements.file?.files[0]
  if (dataset.body) headers.set('Content-Type', form.elements.file?.files[0]?.type || dataset.body)
  const who = form.elements.who?.value ?? ''
  const [organizationId, environment] = who.split(' ')
  const usesKey = who === '' && form.elements.key
  if (usesKey) headers.set('Authorization', `Bearer ${pasted}`)
  else if (environment) {
    headers.set('X-Parley-Organization', organizationId)
    headers.set('X-Parley-Environment', environment)
  }
  return {
    method: dataset.method,
    url: `${api}${path}${query.size > 0 ? `?${query}` : ''}`,
    headers,
    ...(body === undefined ? {} : { body }),
    credentials: usesKey ? 'omit' : 'same-origin',
    isProduction: usesKey ? pasted.startsWith('ak_live_') : environment === 'production',
  }
}

/** Writes in production are real: they are asked about first. */
function confirmed({ method, url }) {
  const path = new URL(url).pathname
  const dialog = element(
    'dialog',
    { className: 'confirm' },
    element('h2', { textContent: 'This writes to production' }),
    element(
      'p',
      {},
      element('code', { textContent: `${method} ${path}` }),
      ' changes real records and may text or call real people.',
    ),
    element(
      'div',
      { className: 'buttons' },
      element('button', { type: 'button', textContent: 'Do not send', onclick: () => dialog.close() }),
      element('button', {
        type: 'button',
        className: 'send danger',
        textContent: 'Send to production',
        onclick: () => dialog.close('send'),
      }),
    ),
  )
  dialog.setAttribute('aria-label', 'This writes to production')
  document.body.append(dialog)
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(dialog.returnValue === 'send')
    })
  })
}

const MOST = 200_000

async function showAnswer(form, response, ms) {
  const head = `${response.status} ${response.statusText} in ${ms} ms · request ${response.headers.get('x-request-id') ?? 'unknown'}`
  const type = response.headers.get('content-type') ?? ''
  if (/^(audio|image|application\/octet)/.test(type))
    return say(form, head, `${(await response.blob()).size} bytes of ${type}`)
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  // A stream goes on until the form is closed or sent again: what has come is shown as it comes.
  while (reader && text.length < MOST) {
    const { done, value } = await reader.read()
    if (done) break
    text += value
    if (type.startsWith('text/event-stream')) say(form, head, text)
  }
  await reader?.cancel()
  say(form, head, pretty(text, type))
}

function pretty(text, type) {
  try {
    return type.includes('json') ? JSON.stringify(JSON.parse(text), null, 2) : text
  } catch {
    return text
  }
}

function say(form, head, text) {
  const output = form.querySelector('.result')
  output.firstChild.textContent = head
  output.querySelector('pre')?.remove()
  if (text) output.append(element('pre', { tabIndex: 0 }, element('code', { textContent: text })))
}
