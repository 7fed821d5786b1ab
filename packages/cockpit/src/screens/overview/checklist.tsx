// The first steps of an empty organization; it goes away when they are done.
import { useQuery } from '@tanstack/react-query'
import { Circle, CircleCheck } from 'lucide-react'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { GoLink } from '../../ui/go-link'

export function Checklist() {
  const { parley, key, at, environment } = usePlace()
  const { data } = useQuery({
    queryKey: [...key, 'drafts', 'calls', 'checklist'],
    queryFn: async ({ signal }) => {
      const [calls, approved, hooks] = await Promise.all([
        parley.calls.list({ limit: 1 }, { signal }),
        parley.drafts.list({ status: 'approved', limit: 1 }, { signal }),
        parley.webhooks.list({ limit: 1 }, { signal }),
      ])
      return { call: calls.data.length > 0, approved: approved.data.length > 0, webhook: hooks.data.length > 0 }
    },
  })
  if (data === undefined || environment !== 'sandbox') return null
  const steps = [
    ['call', at('developers', 'simulator'), data.call],
    ['approve', at('review'), data.approved],
    ['webhook', at('developers', 'webhooks'), data.webhook],
  ] as const
  if (steps.every(([, , isDone]) => isDone)) return null
  return (
    <section className="rounded-md border border-line bg-surface p-4">
      <h2 className="pb-2 font-semibold">{text.overview.firstSteps}</h2>
      <ol className="grid gap-1">
        {steps.map(([name, href, isDone]) => (
          <li key={name}>
            <GoLink
              href={href}
              className={`flex items-center gap-2.5 rounded-sm py-1 hover:underline ${isDone ? 'text-muted line-through' : ''}`}
            >
              {isDone ? (
                <CircleCheck size={16} aria-hidden className="text-good" />
              ) : (
                <Circle size={16} aria-hidden className="text-muted" />
              )}
              {text.overview.steps[name]}
            </GoLink>
          </li>
        ))}
      </ol>
    </section>
  )
}
