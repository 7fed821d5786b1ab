// Light, dark, or what the system says: the same choice as in the cockpit. Runs before anything is drawn.
;(() => {
  const stored = localStorage.getItem('parley theme')
  if (stored === 'light' || stored === 'dark') document.documentElement.dataset.theme = stored
})()
