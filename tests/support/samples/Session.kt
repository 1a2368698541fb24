package app.session

import kotlinx.coroutines.flow.Flow
import app.store.Store as Keep

const val TIMEOUT = 30

typealias Token = String

/** One session. */
@Serializable
data class Session(val id: String, val user: User) : Base() {
    val expired: Boolean = false

    /** Ends it. */
    @JvmStatic
    fun end(reason: String) {
        Keep.remove(id)
        notify(reason) { it.close() }
    }

    companion object {
        fun create(id: String): Session = Session(id, User())
    }
}

interface Listener { fun onEnd(session: Session) }

enum class State { OPEN, CLOSED }

object Registry {
    fun size(): Int = sessions.size
}

fun String.toToken(): Token = trim()
