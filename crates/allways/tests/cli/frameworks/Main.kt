import kotlin.concurrent.thread

class Counter {
    var n = 0

    @Synchronized fun safely() { n++ }

    fun add() { n++ }
}

data class Point(val x: Int, val y: Int)

fun main(args: Array<String>) {
    val counter = Counter()
    val threads = (1..2).map { thread { if (args.isEmpty()) counter.add() else counter.safely() } }
    threads.forEach { it.join() }
    val points = listOf(Point(1, 2), Point(3, 4)).map { it.copy(y = it.y * 2) }.sortedByDescending { it.x }
    println("${counter.n} $points")
}
