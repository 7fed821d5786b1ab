// How often facts of a key turn out right: accepted beside rejected.
import type { Stats } from '@parley/sdk'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { GoLink } from '../../ui/go-link'
import { sentence } from '../../ui/words'
import { hrefOfRows } from './rows-behind'

const SHOWN = 8

export function FactAcceptance({ facts }: { facts: Stats['totals']['facts'] }) {
  const place = usePlace()
  return (
    <section>
      <h2 className="pb-2 font-semibold">{text.overview.factAcceptance}</h2>
      {facts.length === 0 && <p className="text-muted">{text.overview.noDecisions}</p>}
      <ul className="grid gap-2">
        {facts.slice(0, SHOWN).map(({ key, accepted, rejected }) => {
          const share = Math.round((accepted.value / Math.max(1, accepted.value + rejected.value)) * 100)
          return (
            <li
              key={key}
              className="grid grid-cols-[8rem_minmax(0,1fr)_2.5rem_auto] max-sm:grid-cols-[6rem_minmax(0,1fr)_2.5rem_auto] items-center gap-3"
            >
              <span className="truncate">{sentence(key)}</span>
              <span
                className="h-2 overflow-hidden rounded-full bg-line"
                title={text.overview.decided(accepted.value, rejected.value)}
              >
                <span className="block h-full bg-accent" style={{ width: `${share}%` }} />
              </span>
              <span className="figures text-end text-muted">{share} %</span>
              <span className="figures flex gap-2 text-xs">
                <GoLink
                  href={hrefOfRows(place, accepted.rows)}
                  aria-label={text.overview.acceptedOf(sentence(key), accepted.value)}
                  className="h-6 min-w-6 text-center leading-6 text-good hover:underline"
                >
                  {accepted.value}
                </GoLink>
                <GoLink
                  href={hrefOfRows(place, rejected.rows)}
                  aria-label={text.overview.rejectedOf(sentence(key), rejected.value)}
                  className="h-6 min-w-6 text-center leading-6 text-danger hover:underline"
                >
                  {rejected.value}
                </GoLink>
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
