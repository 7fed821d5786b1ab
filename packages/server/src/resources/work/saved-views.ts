// Views of work that people have named. They are kept as they are sent; whoever shows one asks for the work itself.
import { savedViews } from '@parley/contract'
import type { Endpoint } from '../../http/endpoint.js'
import { crud, endpointsOf } from '../generic/crud.js'

export const savedViewEndpoints: Endpoint[] = endpointsOf(crud(savedViews))
