// The extractor: what it would make of a conversation, and how its proposals fared.
import type { ApiPromise } from '../api-promise.js'
import type {
  ExtractionPreview,
  ExtractionPreviewRequest,
  FactQuality,
  FactQualityQuery,
  ModelCall,
  ModelCallQuery,
} from '../generated/shapes.js'
import { type Listing, listing } from '../page.js'
import { ask, type RequestOptions, type Send } from '../transport.js'

export interface Extractions {
  /** Shows what would be found by the definitions as they are now; nothing is stored. */
  preview(body: ExtractionPreviewRequest, options?: RequestOptions): ApiPromise<ExtractionPreview>
  /** What asking models cost, call by call, newest first. */
  modelCalls(query?: ModelCallQuery, options?: RequestOptions): Listing<ModelCall>
}

export const extractions = (send: Send): Extractions => ({
  preview: (body, options) => ask(send, { method: 'POST', path: '/extractions/preview', body, options }),
  modelCalls: (query = {}, options) => listing(send, '/extractions/model-calls', query, options),
})

export interface Quality {
  /** Confirmed, edited, rejected and ignored proposals, by confidence. */
  facts(query?: FactQualityQuery, options?: RequestOptions): ApiPromise<FactQuality>
}

export const quality = (send: Send): Quality => ({
  facts: (query, options) => ask(send, { method: 'GET', path: '/quality/facts', query, options }),
})
