// How the cockpit is built, and how `npm run dev` serves it beside a running server.
import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const source = (path) => fileURLToPath(new URL(path, import.meta.url))
const server = process.env.PARLEY_URL ?? 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react(), tailwind()],
  // From their sources: neither has to be compiled before.
  resolve: {
    alias: [
      { find: '@parley/sdk', replacement: source('../sdk/src/index.ts') },
      { find: /^@parley\/contract\/(\w+)$/, replacement: `${source('../contract/src')}/$1.ts` },
    ],
  },
  build: {
    target: ['chrome123', 'firefox128', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: { proxy: Object.fromEntries(['/api', '/docs', '/platform'].map((path) => [path, server])) },
})
