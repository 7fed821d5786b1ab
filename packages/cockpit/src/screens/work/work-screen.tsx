// Work: as a table, as a board by status, as a week; and one record in full.
import { useRouterState } from '@tanstack/react-router'
import { usePathParts, usePlace } from '../../api/place'
import { text } from '../../text'
import { Page } from '../../ui/page'
import { SavedViews } from './saved-views'
import { Tasks } from './tasks'
import { WeekCalendar } from './week-calendar'
import { WorkBoard } from './work-board'
import { WorkDetail } from './work-detail'
import { WorkTable } from './work-table'

const parts = { table: WorkTable, board: WorkBoard, calendar: WeekCalendar, tasks: Tasks }
type Part = keyof typeof parts
const names = Object.keys(parts).filter((name): name is Part => name in parts)

export function WorkScreen() {
  const { at } = usePlace()
  const [, first, second] = usePathParts('work')
  const search = useRouterState({ select: ({ location }) => location.searchStr })
  const part = names.find((name) => name === first) ?? 'table'
  const id = first !== undefined && !names.some((name) => name === first) ? first : second
  const Shown = parts[part]
  // Table and board show the same work: what one has chosen stays.
  const isFiltered = (name: Part) => name === 'table' || name === 'board'
  const href = (name: Part) => at('work', name) + (isFiltered(name) && isFiltered(part) ? search : '')
  const tabs = names.map((name) => [href(name), text.work[name], name === part] as const)
  const views = part === 'table' || part === 'board' ? <SavedViews layout={part} /> : undefined
  return (
    <Page title={text.screens.work} tabs={tabs} actions={views}>
      <div className="flex min-h-0 flex-1">
        <div className={`flex min-w-0 flex-1 flex-col ${id === undefined ? '' : 'max-md:hidden'}`}>
          <Shown shown={id} />
        </div>
        {id !== undefined && <WorkDetail key={id} id={id} backTo={at('work', part)} />}
      </div>
    </Page>
  )
}
