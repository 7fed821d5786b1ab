// Many writes in one request: what is sent, and what comes back for each.
import { bodyWith, type Sent } from '../body.js'
import { type Entity, recordSchema } from '../entity.js'
import { aboutEnvelope, apiError, meta } from '../envelope.js'
import { described, flag, integer, list, named, object, oneOf, openForm, optional, ruled, uuid } from '../field.js'
import { limits } from '../limits.js'

export const batchOperations = ['create', 'update', 'upsert'] as const

const batchItem = named(
  'BatchItem',
  object(
    {
      op: oneOf(batchOperations),
      id: optional(uuid()),
      data: openForm(),
      ifVersion: optional(integer({ minimum: 1 })),
    },
    {
      op:
        '`create` and `update` as POST and PATCH do; `upsert` updates the record that has `data.externalRefs`, ' +
        'else creates.',
      id: 'Which record; for `update` alone.',
      data: 'The body that POST or PATCH would take.',
      ifVersion: 'Only if the record still has this version, as `If-Match`.',
    },
  ),
)

export const batchBody = bodyWith({
  items: described(
    ruled(list(batchItem, limits.batchItems), { minItems: 1 }),
    'What to write, in this order; later items see earlier ones.',
  ),
  atomic: optional(
    described(flag(), 'Whether all is written or nothing: one that fails refuses all with 422 `batch_failed`.'),
  ),
})
export type BatchRequest = Sent<typeof batchBody>
export type BatchItem = BatchRequest['items'][number]

const pascal = (name: string): string => name.replace(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase())

/** What became of each item, in the order of the items. */
export const batchResults = (entity: Entity) =>
  named(
    `${pascal(entity.name)}Batch`,
    object(
      {
        data: list(
          named(
            `${pascal(entity.name)}BatchResult`,
            object(
              {
                status: integer({ minimum: 200, maximum: 599 }),
                record: optional(recordSchema(entity)),
                error: optional(apiError),
              },
              {
                status: 'What the single request would have been answered with.',
                record: 'The record as it is now; where the item was written.',
                error: 'Why it was not written, in the shape of any error.',
              },
            ),
          ),
          limits.batchItems,
        ),
        meta,
      },
      { data: 'One for each item, in the same order.', meta: aboutEnvelope.meta },
    ),
  )
