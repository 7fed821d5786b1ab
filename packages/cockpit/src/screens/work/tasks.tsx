// Tasks that are due, done with a click.
import type { Task } from '@parley/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ListTodo } from 'lucide-react'
import { usePlace } from '../../api/place'
import { toast } from '../../frame/toasts'
import { text } from '../../text'
import { Moment, useNow } from '../../ui/moment'
import { Rows, useEndless } from '../../ui/rows'
import { Empty, explain, Failure, Waiting } from '../../ui/states'
import { Badge } from '../../ui/words'

export function Tasks() {
  const { parley, key } = usePlace()
  const list = useEndless<Task>([...key, 'tasks', 'open'], (page, signal) =>
    parley.tasks.list({ status: 'open', sort: 'dueAt', ...page }, { signal }),
  )
  if (list.isPending) return <Waiting />
  if (list.isError) return <Failure error={list.error} onRetry={() => void list.refetch()} />
  if (list.rows.length === 0)
    return (
      <Empty icon={<ListTodo size={20} />} title={text.work.noTasks}>
        {text.work.noTasksBody}
      </Empty>
    )
  return (
    <Rows
      rows={list.rows}
      rowHeight={40}
      label={text.work.tasks}
      hasMore={list.hasNextPage}
      onMore={() => void list.fetchNextPage()}
      onTop={list.onTop}
    >
      {(task) => <TaskRow task={task} />}
    </Rows>
  )
}

function TaskRow({ task: { id, title, dueAt } }: { task: Task }) {
  const { parley, key } = usePlace()
  const queries = useQueryClient()
  const now = useNow(60_000)
  const isLate = dueAt !== null && Date.parse(dueAt) < now
  const move = useMutation({
    mutationFn: (status: string) => parley.tasks.update(id, { status }),
    onSuccess: (_, status) => {
      if (status === 'done') toast(text.work.taskDone(title), { undo: () => move.mutate('open') })
      return queries.invalidateQueries({ queryKey: [...key, 'tasks'] })
    },
    onError: (error) => toast(explain(error), { tone: 'danger' }),
  })
  return (
    <label className="mx-2 flex h-10 items-center gap-3 rounded-md px-2 hover:bg-hover sm:mx-4">
      <input
        type="checkbox"
        checked={move.isPending}
        onChange={() => move.mutate('done')}
        className="size-4 accent-accent"
      />
      <span className="min-w-0 flex-1 truncate">{title}</span>
      {isLate && <Badge tone="warning">{text.work.late}</Badge>}
      <span className="text-xs text-muted">{dueAt === null ? text.work.noDue : <Moment at={dueAt} />}</span>
    </label>
  )
}
