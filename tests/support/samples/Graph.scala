package graphs

import scala.collection.mutable.{Map, Set => MutableSet}
import graphs.util._

/** A graph. */
@deprecated
case class Graph(nodes: List[Node]) extends Base with Walkable {
  val size = nodes.length
  private var seen: Set[Node] = Set()

  /** Walks it. */
  def walk(from: Node): Unit = {
    visit(from)
    from.edges.foreach(edge => visit(edge))
  }
}

trait Walkable { def walk(from: Node): Unit }

object Graph {
  val Empty = Graph(Nil)
  def apply(n: Int): Graph = new Graph(List.fill(n)(Node()))
}

type Edge = (Node, Node)

enum Color { case Red, Green }
