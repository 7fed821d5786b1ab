// Where the page begins.

import { ApiError } from '@parley/sdk'
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { sessionQuery } from './api/session'
import { applyTheme } from './frame/theme'
import { router } from './router'
import { applyLanguage } from './text'
import './styles.css'

applyTheme()
applyLanguage()

/** A session that has ended, here or elsewhere, is noticed by whoever asks next. */
const onError = (error: unknown) => {
  if (error instanceof ApiError && error.status === 401)
    void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
}

const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What the service refuses it refuses again; only its absence passes.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status < 500),
    },
  },
})

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
