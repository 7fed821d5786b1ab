// `GET /events/stream`: the event log as server-sent events. All streams of a tenant on this node share one look at the log; a stream that comes
// back with the last event it has seen first reads by itself what it missed.
import { freeForm } from '@parley/contract'
import type { Database } from '../database/pool.js'
import { direct } from '../http/direct.js'
import { type Endpoint, endpoint } from '../http/endpoint.js'
import { frameOf, type Stream } from '../http/sse.js'
import { currentHorizon, type EventFilter, eventsAfter, fitsFilter, isPast, type LoggedEvent, type Position } from '../store/event-log.js'
import { eventFilter, eventFilterParameters, requirePosition } from './events.js'
import { polling } from './polling.js'
