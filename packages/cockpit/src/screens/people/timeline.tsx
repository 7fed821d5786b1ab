// Everything that happened with somebody or something, newest first: calls, texts, work, notes, facts, appointments.
import type { TimelineItem } from '@parley/sdk'
import { History, ListFilter } from 'lucide-react'
import { usePlace, useSearchParam } from '../../api/place'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { Menu, MenuCheck } from '../../ui/menu'
import { RecordLine } from '../../ui/record-line'
import { useEndless } from '../../ui/rows'
import { Empty, Failure, Waiting } from '../../ui/states'

type TimelineType = TimelineItem['type']

interface TimelineProps {
  readonly of: 'people' | 'customers' | 'workRecords'
  readonly id: string
}

export function Timeline({ of, id }: TimelineProps) {
  const { parley, key } = usePlace()
  const [asked, setAsked] = useSearchParam('types')
  const types = allTypes.filter((type) => asked.split(',').includes(type))
  const filter = types.length === 0 ? {} : { types }
  // What is changed by a call or a text touches people, so this is read anew with them.
  const list = useEndless<TimelineItem>([...key, 'people', 'timeline', of, id, filter], (page, signal) =>
    parley[of].timeline(id, { ...filter, ...page }, { signal }),
  )
  return (
    <div className={`px-4 py-3 ${of === 'workRecords' ? '' : 'sm:px-6'}`}>
      <TypesFilter types={types} onChoose={(chosen) => setAsked(chosen.join(','))} />
      {list.isError && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <Waiting />}
      {list.isSuccess && list.rows.length === 0 && (
        <Empty icon={<History size={20} />} title={text.timeline.none}>
          {types.length === 0 ? text.timeline.noneBody : text.timeline.noneOfThese}
        </Empty>
      )}
      {list.rows.length > 0 && (
        <ol aria-label={text.timeline.title}>
          {list.rows.map((item) => (
            <li
              key={`${item.type} ${item.id}`}
              className="lazily relative pb-5 [contain-intrinsic-size:auto_68px] before:absolute before:start-3 before:top-7 before:bottom-0 before:w-px before:bg-line last:before:hidden"
            >
              <RecordLine item={item} />
            </li>
          ))}
        </ol>
      )}
      {list.hasNextPage && <Button onClick={() => void list.fetchNextPage()}>{text.timeline.more}</Button>}
    </div>
  )
}

const isType = (name: string): name is TimelineType => name in text.timeline.types
const allTypes = Object.keys(text.timeline.types).filter(isType)

interface FilterProps {
  readonly types: readonly TimelineType[]
  readonly onChoose: (types: readonly TimelineType[]) => void
}

function TypesFilter({ types, onChoose }: FilterProps) {
  const names = types.map((type) => text.timeline.types[type]).join(', ')
  return (
    <div className="flex items-center gap-2 pb-3">
      <Menu
        triggerClass="inline-flex h-8 max-w-full items-center gap-1.5 rounded-md border border-line-strong bg-surface px-3 font-medium hover:bg-hover max-sm:h-11"
        trigger={
          <>
            <ListFilter size={14} aria-hidden className="shrink-0" />
            <span className="sr-only">{text.timeline.show}</span>
            <span className="truncate">{names === '' ? text.timeline.everything : names}</span>
          </>
        }
      >
        {allTypes.map((type) => (
          <MenuCheck
            key={type}
            isChecked={types.includes(type)}
            onCheck={(isChecked) =>
              onChoose(allTypes.filter((one) => (one === type ? isChecked : types.includes(one))))
            }
          >
            {text.timeline.types[type]}
          </MenuCheck>
        ))}
      </Menu>
      {types.length > 0 && (
        <Button look="quiet" onClick={() => onChoose([])}>
          {text.timeline.everything}
        </Button>
      )}
    </div>
  )
}
