import type { Point } from './point'
import { area as measure } from "@geo/area"

/** How a shape is drawn. */
export interface Drawable<T> extends Base {
  color: string
  draw(to: T): void
}

export type Size = 'small' | 'large'

export enum Unit {
  Pixel = 'px',
  Point = 'pt',
}

declare module 'geo' {
  export function far(p: Point): number
}

namespace Inner {
  export const ORIGIN: Point = { x: 0, y: 0 }
  export function near(p: Point): boolean { return measure(p) < 1 }
}

@Component({ selector: 'box' })
export abstract class Box<T> implements Drawable<T> {
  private readonly size: Size = 'small'
  constructor(public color: string) { super() }
  /** Draws. */
  draw(to: T): void {
    render<T>(to, Unit.Pixel)
  }
  abstract clear(): void
}

export const grow = async <T,>(box: Box<T>): Promise<void> => {
  await box.draw(ORIGIN as any)
}
