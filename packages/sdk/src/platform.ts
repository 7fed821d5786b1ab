// The client of the platform API, apart from the client of an organization: most programs never need it.
export * from './errors.js'
export type { ParleyEvent } from './events.js'
export type * from './generated/platform.js'
export { Listing, type Page } from './page.js'
export {
  ParleyPlatform,
  type PlatformEventStreamOptions,
  type PlatformEvents,
  type PlatformOptions,
  type PlatformOrganizations,
  type PlatformWebhooks,
} from './resources/platform.js'
