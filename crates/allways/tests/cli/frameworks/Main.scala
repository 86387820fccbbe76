object Main {
  var n = 0

  def main(args: Array[String]): Unit = {
    val safely = args.nonEmpty
    val threads = (1 to 2).map(_ => new Thread(new Runnable {
      def run() = if (safely) Main.synchronized { n += 1 } else n += 1
    }))
    threads.foreach(_.start())
    threads.foreach(_.join())
    println(s"$n ${List(3, 1, 2).sorted.map(_ * 2)}")
  }
}
