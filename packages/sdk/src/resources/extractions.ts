// The extractor: what it would make of a conversation, and how its proposals fared.
import type { ExtractionPreview, ExtractionPreviewRequest, FactQuality, FactQualityQuery } from '../generated/shapes.js'
import { ask, type RequestOptions, type Send } from '../transport.js'

export interface Extractions {
  /** Shows what would be found by the definitions as they are now; nothing is stored. */
  preview(body: ExtractionPreviewRequest, options?: RequestOptions): Promise<ExtractionPreview>
}

export const extractions = (send: Send): Extractions => ({
  preview: (body, options) => ask(send, { method: 'POST', path: '/extractions/preview', body, options }),
})

export interface Quality {
  /** Confirmed, edited, rejected and ignored proposals, by confidence. */
  facts(query?: FactQualityQuery, options?: RequestOptions): Promise<FactQuality>
}

export const quality = (send: Send): Quality => ({
  facts: (query, options) => ask(send, { method: 'GET', path: '/quality/facts', query, options }),
})
