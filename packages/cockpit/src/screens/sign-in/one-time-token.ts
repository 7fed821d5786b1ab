// The secret of a one-time link stands in the fragment. It is taken out of the address before anything else happens,
// and kept nowhere but in memory.
const taken = location.hash.slice(1)
if (taken !== '') history.replaceState(history.state, '', location.pathname + location.search)

export const oneTimeToken: string | undefined = /^[\w-]{20,200}$/.test(taken) ? taken : undefined

// A link that is pasted over this very page changes nothing but the fragment.
addEventListener('hashchange', () => {
  if (location.hash.length > 1) location.reload()
})
