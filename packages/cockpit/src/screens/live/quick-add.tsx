// A note or a task, written down while one listens.
import type { CallSurface } from '@parley/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ListTodo, StickyNote } from 'lucide-react'
import { useState } from 'react'
import { usePlace } from '../../api/place'
import { toast } from '../../frame/toasts'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { explain } from '../../ui/states'

export function QuickAdd({ surface }: { surface: CallSurface }) {
  const { parley, key } = usePlace()
  const queries = useQueryClient()
  const [words, setWords] = useState('')
  const { callId, person, workRecord } = surface
  const subject = person
    ? { subjectType: 'person', subjectId: person.id }
    : workRecord && { subjectType: 'work_record', subjectId: workRecord.id }
  const done = (message: string, undo: () => Promise<unknown>) => {
    setWords('')
    toast(message, { undo: () => void undo().then(() => queries.invalidateQueries({ queryKey: key })) })
    void queries.invalidateQueries({ queryKey: key })
  }
  const onError = (error: unknown) => toast(explain(error), { tone: 'danger' })
  const note = useMutation({
    mutationFn: () => parley.notes.create({ body: words, callSessionId: callId, ...(subject ?? noSubject) }),
    onSuccess: ({ id }) => done(text.live.noted, () => parley.notes.delete(id)),
    onError,
  })
  const task = useMutation({
    mutationFn: () =>
      parley.tasks.create({ title: words.slice(0, 255), sourceCallSessionId: callId, personId: person?.id ?? null }),
    onSuccess: ({ id }) => done(text.live.tasked, () => parley.tasks.delete(id)),
    onError,
  })
  const why = words.trim() === '' ? text.live.writeFirst : undefined
  return (
    <div className="grid gap-2 px-4 py-3.5">
      <textarea
        aria-label={text.live.noteOrTask}
        placeholder={text.live.noteOrTask}
        rows={2}
        value={words}
        onChange={({ target }) => setWords(target.value)}
        className="w-full resize-y rounded-md border border-line-strong bg-surface px-2.5 py-1.5"
      />
      <div className="flex gap-2">
        <Button
          icon={<StickyNote size={14} aria-hidden />}
          because={why ?? (subject ? undefined : text.live.nobodyYet)}
          onClick={() => note.mutate()}
        >
          {text.live.addNote}
        </Button>
        <Button icon={<ListTodo size={14} aria-hidden />} because={why} onClick={() => task.mutate()}>
          {text.live.addTask}
        </Button>
      </div>
    </div>
  )
}

const noSubject = { subjectType: 'person', subjectId: '' }
