// A titled part of a panel.
import type { ReactNode } from 'react'

interface SectionProps {
  readonly title: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}

export function Section({ title, aside, children }: SectionProps) {
  return (
    <section className="px-4 py-3.5">
      <div className="flex min-h-6 items-center justify-between gap-2 pb-1.5">
        <h3 className="font-semibold">{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  )
}
